import { setFlagsFromString } from 'node:v8'

/** Of what is in use after a collection: how much garbage may gather before the next one. V8 would let three times as much gather under load. */
const GROWTH_PERCENT = 70

/**
 * Keeps the garbage of rendered pages from growing a web process to several times what it uses. `npm start` also gives Node a smaller space for
 * young objects, which can only be chosen before it starts (decisions 0133 and 0198).
 */
export const keepHeapSmall = (): void => setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`)
