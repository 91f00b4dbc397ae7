import * as v from 'valibot'
import { slugSchema } from '#app/lib/slug.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { createTranslatedSchema } from '#app/lib/translated-schema.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { SURVEY_ACCESS, SURVEY_VARIANTS } from '#app/lib/vocabulary/surveys.ts'
import { verificationRuleSchema } from '#app/features/verifications/verification-rule.schema.ts'
import { surveyKeywordsSchema } from '../sms/by-text.schema.ts'
import { definitionSchema } from '../surveys.schema.ts'

/** Identifies our own format on import. */
export const OWN_FORMAT = 'parley-survey'

const instant = v.nullable(timestampSchema)

/** A survey's texts and settings, as its API resource names them. */
const settingsSchema = v.object({
  slug: slugSchema,
  titleTranslations: createTranslatedSchema(200),
  introTranslations: createTranslatedSchema(5000),
  thanksTranslations: createTranslatedSchema(5000),
  access: v.picklist(SURVEY_ACCESS),
  groupId: v.nullable(idSchema),
  verification: v.nullable(verificationRuleSchema),
  anonymous: v.boolean(),
  changeable: v.boolean(),
  variant: v.picklist(SURVEY_VARIANTS),
  resultsPublic: v.boolean(),
  smsKeywords: surveyKeywordsSchema,
  opensAt: instant,
  closesAt: instant,
  minutes: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(240))),
})
export type OwnSettings = v.InferOutput<typeof settingsSchema>

/** Files written before the settings were part of the format have only a title in one language, and published versions. */
export const ownFileSchema = v.object({
  format: v.literal(OWN_FORMAT),
  survey: v.object({ title: v.string(), ...v.partial(settingsSchema).entries }),
  /** The draft. */
  definition: v.optional(definitionSchema),
  /** Published definitions, newest first. */
  versions: v.array(v.object({ number: v.optional(v.number()), definition: definitionSchema })),
  responses: v.optional(v.array(v.unknown()), []),
})
export type OwnFile = v.InferOutput<typeof ownFileSchema>
