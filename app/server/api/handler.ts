import { createApiHandler } from './create-handler.ts'
import { registry } from './registry.ts'

/** The handler of `/api/v2` over all of the product's resources. */
export const handleApi = createApiHandler(registry)
