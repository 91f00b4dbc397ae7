import { recordRefusal } from '../features/audit/audit.server.ts'
import { createApiHandler } from '../server/api/create-handler.ts'
import { apiResources } from './api-resources.ts'

/** Answers `/api/v2` with all of the product's resources. Refusals of signed-in people are written to the audit log. */
export const handleApi = createApiHandler(apiResources, { onRefusal: recordRefusal })
