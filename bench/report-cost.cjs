// Loaded before a measured command (`node -r`): writes what the process has cost to the descriptor 3 when it ends.
const { writeSync } = require('node:fs')
process.once('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  writeSync(3, JSON.stringify({ cpuMs: (userCPUTime + systemCPUTime) / 1000, peakMb: maxRSS / 1024 }))
})
