import * as v from 'valibot'
import { keptId } from '../../item-id.schema.ts'
import { common, count, withOptions } from '../parts.schema.ts'

const howMany = { minChoices: v.optional(count(200)), maxChoices: v.optional(count(200)) }

export const CHOICE_SCHEMAS = [
  v.strictObject({ ...common, type: v.literal('one_choice'), ...withOptions }),
  v.strictObject({ ...common, type: v.literal('dropdown'), ...withOptions }),
  v.strictObject({ ...common, type: v.literal('several_choices'), ...withOptions, ...howMany }),
  /** One picture, or several where `maxChoices` says so. */
  v.strictObject({ ...common, type: v.literal('picture_choice'), ...withOptions, ...howMany }),
  v.strictObject({ ...common, type: v.literal('yes_no') }),
  v.strictObject({ ...common, type: v.literal('consent') }),
  /** About the person, copied from the site's bank of such questions, so that figures of surveys can be compared. Never required. */
  v.strictObject({ ...common, type: v.literal('demographic'), ...withOptions, bank: keptId }),
] as const
