import { ensureBuilt } from './product.ts'

/** For tests that start the real command themselves. */
export default ensureBuilt
