import type { Gauge, GaugeConfiguration } from 'prom-client'

export interface MemoryFigures {
  readonly bytes: number
  readonly maxBytes: number
  readonly memories: ReadonlyMap<string, { readonly bytes: number; readonly size: number }>
}

export interface GuardFigures {
  readonly isRefusing: boolean
}

type AddGauge = (options: GaugeConfiguration<string>) => Gauge

/** What this process remembers, part by part, and whether memory is short. */
export function addMemoryGauges(addGauge: AddGauge, budget: MemoryFigures, guard: GuardFigures): void {
  addGauge({
    name: 'parley_memory_bytes',
    help: 'About how many bytes this process remembers to answer faster, by what they are.',
    labelNames: ['memory'],
    collect() {
      for (const [memory, { bytes }] of budget.memories) this.set({ memory }, bytes)
    },
  })
  addGauge({
    name: 'parley_memory_entries',
    help: 'How many entries each of these memories has.',
    labelNames: ['memory'],
    collect() {
      for (const [memory, { size }] of budget.memories) this.set({ memory }, size)
    },
  })
  addGauge({
    name: 'parley_memory_budget_bytes',
    help: 'What all memories of this process take together, and at most.',
    labelNames: ['state'],
    collect() {
      this.set({ state: 'used' }, budget.bytes)
      this.set({ state: 'most' }, budget.maxBytes)
    },
  })
  addGauge({
    name: 'parley_memory_refusing',
    help: 'Whether this process refuses work because it is close to its memory limit.',
    collect() {
      this.set(guard.isRefusing ? 1 : 0)
    },
  })
}
