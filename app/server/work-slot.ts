import { AsyncLocalStorage } from 'node:async_hooks'

const currentSlot = new AsyncLocalStorage<() => void>()

/** Runs a request's work, which holds one of few slots until it is done. @param free frees the slot earlier */
export const runInSlot = <T>(free: () => void, work: () => Promise<T>): Promise<T> => currentSlot.run(free, work)

/** Frees the slot of the current request, which waits for something done for many requests at once. Without a slot, does nothing. */
export const freeSlot = (): void => currentSlot.getStore()?.()
