// Two ways to end early: someone raises the flag and the work is thrown away, or its time is over,
// or as much work was done as is allowed, and what was found so far is kept. Every long loop looks.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>

namespace unisono {

struct Stopped : std::exception {
    [[nodiscard]] const char* what() const noexcept override { return "stopped"; }
};

class StopFlag {
 public:
    // Says whether the work is to stop. Called by the thread that made the flag, now and then.
    using Ask = bool (*)();
    struct Quiet {};
    // Numbers that may be looked at, about: some nanoseconds for each.
    struct Work {
        std::int64_t most;
    };

    StopFlag() = default;
    explicit StopFlag(Ask ask) : ask_(ask), asked_(Clock::now()), looked_(asked_) {}
    // For another thread, which stops with its parent but must not ask.
    StopFlag(const StopFlag& parent, Quiet) : parent_(&parent), asks_parent_(false) {}
    // Stops with its parent, and is late after so many seconds from now.
    StopFlag(const StopFlag& parent, double seconds) : parent_(&parent) {
        constexpr double kLongest = 1e9;  // a clock may count nanoseconds in 64 bits
        if (!(seconds < kLongest)) return;
        timed_ = true;
        deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                       std::chrono::duration<double>(seconds));
    }
    // Stops and is late with its parent, and is late after so much work.
    StopFlag(const StopFlag& parent, Work work)
        : parent_(&parent), counts_(true), most_work_(work.most), work_left_(work.most) {}
    StopFlag(const StopFlag&) = delete;
    StopFlag& operator=(const StopFlag&) = delete;

    void raise() const noexcept { raised_.store(true, std::memory_order_relaxed); }
    void check() const {
        const StopFlag* flag = this;
        for (bool may_ask = true; flag != nullptr; flag = flag->parent_) {
            if (flag->raised_.load(std::memory_order_relaxed)) throw Stopped{};
            may_ask = may_ask && flag->asks_parent_;
            if (may_ask && flag->ask_ != nullptr && --flag->unlooked_ <= 0) flag->look();
        }
    }
    // Leaves out no look at the clock.
    void check_after_waiting() const {
        for (const StopFlag* flag = this; flag != nullptr; flag = flag->parent_) {
            flag->unlooked_ = 0;
        }
        check();
    }
    // Without a limit of time this depends on the work alone, not on the clock.
    [[nodiscard]] bool late() const {
        for (const StopFlag* flag = this; flag != nullptr; flag = flag->parent_) {
            if (flag->counts_ && flag->work_left_ <= 0) return true;
            if (flag->timed_ && Clock::now() >= flag->deadline_) return true;
        }
        return false;
    }
    // Counts work, by the thread whose work it is.
    void spend(std::int64_t work) const {
        for (const StopFlag* flag = this; flag != nullptr; flag = flag->parent_) {
            if (flag->counts_) flag->work_left_ -= work;
        }
    }
    // What was counted, where work is limited.
    [[nodiscard]] std::int64_t spent() const { return most_work_ - work_left_; }

    static constexpr std::chrono::milliseconds kBetweenAsking{100};

 private:
    using Clock = std::chrono::steady_clock;

    // Checks may come every microsecond, where a look at the clock would cost, or every tenth of a
    // second, where none may be left out.
    void look() const {
        constexpr int kChecks = 32;
        constexpr std::chrono::milliseconds kOften{1};
        const auto now = Clock::now();
        unlooked_ = now - looked_ < kOften ? kChecks : 1;
        looked_ = now;
        if (now - asked_ < kBetweenAsking) return;
        if (ask_()) {
            raise();
            throw Stopped{};
        }
        asked_ = Clock::now();
    }

    mutable std::atomic<bool> raised_{false};
    const StopFlag* parent_ = nullptr;
    bool asks_parent_ = true;
    bool counts_ = false;
    std::int64_t most_work_ = 0;
    mutable std::int64_t work_left_ = 0;
    bool timed_ = false;
    Clock::time_point deadline_{};
    // Of the thread that made the flag only.
    Ask ask_ = nullptr;
    mutable Clock::time_point asked_{}, looked_{};
    mutable int unlooked_ = 1;
};

}  // namespace unisono
