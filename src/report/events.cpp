#include "report/events.h"

namespace hone::report {

template <class Event>
void ListenerList::tell(void (Listener::*method)(const Event&), const Event& event) {
  for (Listener* listener : listeners_) (listener->*method)(event);
}

void ListenerList::run_started(const RunStarted& event) {
  tell(&Listener::run_started, event);
}

void ListenerList::micro_step_finished(const MicroStepFinished& event) {
  tell(&Listener::micro_step_finished, event);
}

void ListenerList::step_finished(const StepFinished& event) {
  tell(&Listener::step_finished, event);
}

void ListenerList::evaluation_started(const EvaluationStarted& event) {
  tell(&Listener::evaluation_started, event);
}

void ListenerList::evaluation_progressed(const EvaluationProgressed& event) {
  tell(&Listener::evaluation_progressed, event);
}

void ListenerList::evaluation_finished(const EvaluationFinished& event) {
  tell(&Listener::evaluation_finished, event);
}

void ListenerList::logged(const Logged& event) {
  tell(&Listener::logged, event);
}

void ListenerList::checkpoint_saved(const CheckpointSaved& event) {
  tell(&Listener::checkpoint_saved, event);
}

void ListenerList::run_finished(const RunFinished& event) {
  tell(&Listener::run_finished, event);
}

void ListenerList::noted(const Noted& event) {
  tell(&Listener::noted, event);
}

}  // namespace hone::report
