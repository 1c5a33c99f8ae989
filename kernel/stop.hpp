// A polite way to end early: someone raises the flag, every long loop looks at it.
#pragma once

#include <atomic>
#include <exception>

namespace unisono {

struct Stopped : std::exception {
    [[nodiscard]] const char* what() const noexcept override { return "stopped"; }
};

class StopFlag {
 public:
    void raise() noexcept { raised_.store(true, std::memory_order_relaxed); }
    void check() const {
        if (raised_.load(std::memory_order_relaxed)) throw Stopped{};
    }

 private:
    std::atomic<bool> raised_{false};
};

}  // namespace unisono
