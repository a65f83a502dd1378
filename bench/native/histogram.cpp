// The histogram loop in C++, for comparison: the same packed cells, the same blocks, one thread.
// Usage: histogram ROWS FEATURES BINS LEVELS; prints ns per cell update, the best of nine tries.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const uint32_t rows = std::atoi(argv[1]), features = std::atoi(argv[2]);
  const uint32_t bins = std::atoi(argv[3]), levels = std::atoi(argv[4]);
  const uint32_t block = 262144;
  uint32_t state = 1;
  auto random = [&](uint32_t limit) {
    state = state * 1664525u + 1013904223u;
    return static_cast<uint32_t>((static_cast<uint64_t>(state) * limit) >> 32);
  };
  std::vector<std::vector<uint8_t>> columns(features, std::vector<uint8_t>(rows));
  for (auto& column : columns) for (auto& bin : column) bin = random(bins - 1);
  std::vector<int32_t> label(rows), prediction(rows);
  for (uint32_t row = 0; row < rows; row++) {
    label[row] = random(2) << 24;
    prediction[row] = random(1 << 24);
  }
  std::vector<uint64_t> packed(static_cast<size_t>(features) * bins * levels), values(block);
  std::vector<double> counts(packed.size()), residuals(packed.size());
  double best = 1e9;
  for (int attempt = 0; attempt < 9; attempt++) {
    const auto start = std::chrono::steady_clock::now();
    for (uint32_t from = 0; from < rows; from += block) {
      const uint32_t to = from + block < rows ? from + block : rows;
      for (uint32_t row = from; row < to; row++) {
        const uint64_t level = (static_cast<uint64_t>(prediction[row]) * levels) >> 24;
        const uint64_t residual = label[row] - prediction[row] + (1 << 24);
        values[row - from] = (1ull << 44) | (level << 26) | residual;
      }
      for (uint32_t f = 0; f < features; f++) {
        uint64_t* cells = packed.data() + static_cast<size_t>(f) * bins * levels;
        const uint8_t* column = columns[f].data() + from;
        for (uint32_t i = 0; i < to - from; i++) {
          const uint64_t value = values[i];
          const uint32_t key = (value >> 26) & 0x3ffff;
          cells[key * bins + column[i]] += value & 0x100003ffffffull;
        }
      }
      for (size_t cell = 0; cell < packed.size(); cell++) {
        const uint64_t count = packed[cell] >> 44;
        counts[cell] += static_cast<double>(count);
        residuals[cell] += static_cast<double>(static_cast<int64_t>(packed[cell] & 0xfffffffffffull) - (static_cast<int64_t>(count) << 24));
        packed[cell] = 0;
      }
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    const double nanoseconds = seconds.count() * 1e9 / rows / features;
    if (nanoseconds < best) best = nanoseconds;
  }
  double check = 0;
  for (double value : residuals) check += value;
  std::fprintf(stderr, "%g\n", check);
  std::printf("%.4f\n", best);
}
