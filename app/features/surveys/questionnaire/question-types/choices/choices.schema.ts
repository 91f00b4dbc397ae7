import * as v from 'valibot'
import { itemIdSchema } from '../../item-id.schema.ts'
import {
  commonProperties,
  createCountSchema,
  longOptionListProperties,
  optionListProperties,
  orderProperties,
} from '../question-parts.schema.ts'

const choiceCountProperties = { minChoices: v.optional(createCountSchema(200)), maxChoices: v.optional(createCountSchema(200)) }

export const CHOICE_SCHEMAS = [
  v.strictObject({ ...commonProperties, type: v.literal('one_choice'), ...longOptionListProperties, ...orderProperties }),
  v.strictObject({ ...commonProperties, type: v.literal('dropdown'), ...longOptionListProperties, ...orderProperties }),
  v.strictObject({
    ...commonProperties,
    type: v.literal('several_choices'),
    ...optionListProperties,
    ...orderProperties,
    ...choiceCountProperties,
  }),
  /** One picture, or several if `maxChoices` allows it. */
  v.strictObject({
    ...commonProperties,
    type: v.literal('picture_choice'),
    ...optionListProperties,
    ...orderProperties,
    ...choiceCountProperties,
  }),
  v.strictObject({ ...commonProperties, type: v.literal('yes_no') }),
  v.strictObject({ ...commonProperties, type: v.literal('consent') }),
  /** A demographic question copied from the site's question bank, so that figures of surveys can be compared. Never required. */
  v.strictObject({ ...commonProperties, type: v.literal('demographic'), ...optionListProperties, bank: itemIdSchema }),
] as const
