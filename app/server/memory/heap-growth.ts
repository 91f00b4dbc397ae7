import { setFlagsFromString } from 'node:v8'

/**
 * In percent of what is in use after a collection: how much garbage may gather before the next one. V8 would let three times as much gather under
 * load. Less while memory is tight, since collecting along the way costs less than stopping for it.
 */
const GROWTH_PERCENT = { plenty: 70, tight: 30 }

/**
 * Keeps the garbage of rendered pages from growing a web process to several times what it uses. `npm start` also gives Node a smaller space for
 * young objects, which can only be chosen before it starts (decisions 0133 and 0198).
 */
export const limitHeapGrowth = (memory: keyof typeof GROWTH_PERCENT): void =>
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT[memory]}`)
