// What each file of this folder offers to the table: run() per operation, scratch_bytes() where the
// operation wants working space. Index arrays lie in host memory: each operation copies its own
// into its working space.
#pragma once

#include "ops/adamw.h"
#include "ops/attention.h"
#include "ops/bias.h"
#include "ops/elementwise.h"
#include "ops/embedding.h"
#include "ops/head.h"
#include "ops/lora.h"
#include "ops/rms_norm.h"
#include "ops/rope.h"
#include "ops/rows.h"
#include "ops/squared_norm.h"
#include "ops/swiglu.h"

namespace hone::kernels::gpu {

void run(ops::OpContext& context, const ops::EmbeddingForward& op);
void run(ops::OpContext& context, const ops::EmbeddingBackward& op);
void run(ops::OpContext& context, const ops::RmsNormForward& op);
void run(ops::OpContext& context, const ops::RmsNormBackward& op);
void run(ops::OpContext& context, const ops::BiasForward& op);
void run(ops::OpContext& context, const ops::BiasBackward& op);
void run(ops::OpContext& context, const ops::LoraDown& op);
void run(ops::OpContext& context, const ops::LoraUp& op);
void run(ops::OpContext& context, const ops::LoraUpBackward& op);
void run(ops::OpContext& context, const ops::LoraDownBackward& op);
void run(ops::OpContext& context, const ops::Rope& op);
void run(ops::OpContext& context, const ops::AttentionForward& op);
void run(ops::OpContext& context, const ops::AttentionBackward& op);
void run(ops::OpContext& context, const ops::SwiGluForward& op);
void run(ops::OpContext& context, const ops::SwiGluBackward& op);
void run(ops::OpContext& context, const ops::GatherRows& op);
void run(ops::OpContext& context, const ops::ScatterAddRows& op);
void run(ops::OpContext& context, const ops::HeadStatistics& op);
void run(ops::OpContext& context, const ops::HeadGradient& op);
void run(ops::OpContext& context, const ops::SquaredNorm& op);
void run(ops::OpContext& context, const ops::AdamW& op);
void run(ops::OpContext& context, const ops::Cast& op);
void run(ops::OpContext& context, const ops::AddScaled& op);

std::size_t scratch_bytes(const ops::OpContext& context, const ops::EmbeddingForward& op);
std::size_t scratch_bytes(const ops::OpContext& context, const ops::EmbeddingBackward& op);
std::size_t scratch_bytes(const ops::OpContext& context, const ops::RmsNormBackward& op);
std::size_t scratch_bytes(const ops::OpContext& context, const ops::BiasBackward& op);
std::size_t scratch_bytes(const ops::OpContext& context, const ops::LoraDown& op);
std::size_t scratch_bytes(const ops::OpContext& context, const ops::LoraDownBackward& op);
std::size_t scratch_bytes(const ops::OpContext& context, const ops::Rope& op);
std::size_t scratch_bytes(const ops::OpContext& context, const ops::AttentionForward& op);
std::size_t scratch_bytes(const ops::OpContext& context, const ops::AttentionBackward& op);
std::size_t scratch_bytes(const ops::OpContext& context, const ops::GatherRows& op);
std::size_t scratch_bytes(const ops::OpContext& context, const ops::ScatterAddRows& op);
std::size_t scratch_bytes(const ops::OpContext& context, const ops::HeadStatistics& op);
std::size_t scratch_bytes(const ops::OpContext& context, const ops::HeadGradient& op);

}  // namespace hone::kernels::gpu
