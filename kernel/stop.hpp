// Two ways to end early: someone raises the flag and the work is thrown away, or its time is over
// and what was found so far is kept. Every long loop looks.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>

namespace unisono {

struct Stopped : std::exception {
    [[nodiscard]] const char* what() const noexcept override { return "stopped"; }
};

class StopFlag {
 public:
    StopFlag() = default;
    // Stops with its parent, and is late after so many seconds from now.
    StopFlag(const StopFlag& parent, double seconds) : parent_(&parent) {
        constexpr double kLongest = 1e9;  // a clock may count nanoseconds in 64 bits
        if (!(seconds < kLongest)) return;
        timed_ = true;
        deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                       std::chrono::duration<double>(seconds));
    }
    StopFlag(const StopFlag&) = delete;
    StopFlag& operator=(const StopFlag&) = delete;

    void raise() noexcept { raised_.store(true, std::memory_order_relaxed); }
    void check() const {
        if (raised_.load(std::memory_order_relaxed)) throw Stopped{};
        if (parent_ != nullptr) parent_->check();
    }
    // Never true without a limit of time, so that results do not depend on the clock.
    [[nodiscard]] bool late() const { return timed_ && Clock::now() >= deadline_; }

 private:
    using Clock = std::chrono::steady_clock;
    std::atomic<bool> raised_{false};
    const StopFlag* parent_ = nullptr;
    bool timed_ = false;
    Clock::time_point deadline_{};
};

}  // namespace unisono
