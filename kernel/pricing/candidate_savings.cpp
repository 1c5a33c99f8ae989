#include "pricing/candidate_savings.hpp"

namespace unisono {

namespace {

template <class Saving>
constexpr bool kIsCoarse = sizeof(Saving) < sizeof(Cost);

}  // namespace

template <class Saving>
std::int64_t SavingsBetween<Saving>::prepare(const Pairs& pairs,
                                             std::span<const Candidate> candidates) {
    count_ = candidates.size();
    values_.assign(count_ * count_ + kBeyond,
                   static_cast<Saving>(kIsCoarse<Saving> ? kFarApartCoarse : kFarApart));
    position_of_.resize(static_cast<std::size_t>(pairs.units()), -1);
    std::int32_t last = -1;
    for (std::size_t a = 0; a < count_; ++a) {
        position_of_[static_cast<std::size_t>(candidates[a].unit)] = static_cast<std::int32_t>(a);
        last = std::max(last, candidates[a].unit);
    }
    auto looks = static_cast<std::int64_t>(count_ * count_);
    for (std::size_t a = 0; a < count_; ++a) {
        const auto unit = static_cast<std::size_t>(candidates[a].unit);
        auto at = pairs.offsets[unit];
        for (; at < pairs.offsets[unit + 1]; ++at) {
            const auto other = static_cast<std::size_t>(pairs.other[static_cast<std::size_t>(at)]);
            if (pairs.other[static_cast<std::size_t>(at)] > last) break;  // partners ascend
            if (position_of_[other] < 0) continue;
            const auto b = static_cast<std::size_t>(position_of_[other]);
            const Cost exact = kOne - pairs.cost[static_cast<std::size_t>(at)];
            Saving saving;
            if constexpr (kIsCoarse<Saving>) {
                saving = coarse_saving(exact);
            } else {
                saving = exact;
            }
            values_[a * count_ + b] = values_[b * count_ + a] = saving;
        }
        looks += at - pairs.offsets[unit];
    }
    for (const Candidate& candidate : candidates) {
        position_of_[static_cast<std::size_t>(candidate.unit)] = -1;
    }
    return looks;
}

template <class Saving>
void SavingsBetween<Saving>::keep(std::span<const std::size_t> positions) {
    const std::size_t kept = positions.size();
    for (std::size_t a = 0; a < kept; ++a) {
        for (std::size_t b = 0; b < kept; ++b) {
            // Positions ascend, so nothing is overwritten before it was read.
            values_[a * kept + b] = values_[positions[a] * count_ + positions[b]];
        }
    }
    count_ = kept;
}

template class SavingsBetween<Cost>;
template class SavingsBetween<Coarse>;

}  // namespace unisono
