#!/bin/bash
# sbatch examples/cluster/slurm.sh config.yaml [key=value ...]
# Two machines with four ranks each. A rank takes the processors that Slurm binds it to.
#SBATCH --job-name=hone
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --cpus-per-task=8
#SBATCH --time=24:00:00
# Five minutes before the end of the time each rank is told to stop: the run saves after its step.
# The same command goes on from there.
#SBATCH --signal=TERM@300

# By which network the ranks talk to each other; without it, the one by which the first host is
# reached.
# export GLOO_SOCKET_IFNAME=ib0

exec srun --kill-on-bad-exit=0 --cpu-bind=cores hone train "$@"
