import type { FormState } from '#app/server/request-context.ts'
import { buildAskedValue, type TranslatableView } from '../record/translations.schema.ts'

/** Whether a text is shown translated, or translating it failed: without JavaScript, asking for a translation loads the page again. */
export const isAskedFor = (text: TranslatableView | undefined, form: FormState | null): boolean =>
  text !== undefined && (text.shown !== null || form?.values['translate'] === buildAskedValue(text))
