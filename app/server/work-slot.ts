import { AsyncLocalStorage } from 'node:async_hooks'

const currentSlot = new AsyncLocalStorage<() => void>()

/** Runs a request's work, which holds a slot of its queue until it ends. @param free frees the slot earlier */
export const runInSlot = <T>(free: () => void, work: () => Promise<T>): Promise<T> => currentSlot.run(free, work)

/**
 * Frees the slot of the current request before its last wait: for a batch shared with other requests. Otherwise a batch could hold no more
 * requests than there are slots. Only for requests whose work is done but for the answer; does nothing outside a queue.
 */
export const freeSlot = (): void => currentSlot.getStore()?.()
