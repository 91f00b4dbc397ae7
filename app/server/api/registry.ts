import { createRegistry } from './create-registry.ts'

/**
 * Every resource of `/api/v2`: the one file of `app/server` that may import features' `*.resource.server.ts`.
 * Add yours in the order of the alphabet.
 */
export const registry = createRegistry([])
