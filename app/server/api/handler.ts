import { createApiHandler } from './create-handler.ts'
import { onRefusal, registry } from './registry.ts'

/** The handler of `/api/v2` over all of the product's resources. */
export const handleApi = createApiHandler(registry, { onRefusal })
