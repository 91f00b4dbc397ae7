import * as v from 'valibot'
import { idSchema } from '#app/lib/uuid.ts'
import { VERIFICATION_LEVELS } from '#app/lib/vocabulary/verifications.ts'

export const verificationRuleSchema = v.strictObject({ level: v.picklist(VERIFICATION_LEVELS), list: v.nullable(idSchema) })
