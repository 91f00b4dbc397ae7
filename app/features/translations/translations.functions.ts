import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { languageSchema } from '#app/lib/language-schema.ts'
import { createInputValidator, createQuerySchema } from '#app/lib/validate.ts'
import { askMachine, readDesk, saveTranslation, settleText } from './desk.server.ts'
import { readDeskSearch } from './translations.schema.ts'

export const getDesk = createServerFn()
  .validator(createInputValidator(createQuerySchema(readDeskSearch)))
  .handler(({ data, context }) => readDesk(context.ctx, data))

const MAX_TEXT = 100_000
const textSchema = v.pipe(v.string(), v.maxLength(MAX_TEXT))
const settled = { id: v.pipe(v.string(), v.maxLength(400)), language: languageSchema, source: textSchema, was: textSchema }

export const sendTranslation = createServerFn({ method: 'POST' })
  .validator(createInputValidator(v.strictObject({ ...settled, translation: textSchema })))
  .handler(({ data: { id, ...change }, context }) => saveTranslation(context.ctx, id, change))

export const keepTranslation = createServerFn({ method: 'POST' })
  .validator(createInputValidator(v.strictObject(settled)))
  .handler(({ data: { id, ...change }, context }) => settleText(context.ctx, id, change))

/** Has the site's service translate a text. @returns what it says, which is not saved */
export const askForTranslation = createServerFn({ method: 'POST' })
  .validator(createInputValidator(v.strictObject({ id: settled.id, language: languageSchema, source: textSchema })))
  .handler(({ data: { id, ...asked }, context }) => askMachine(context.ctx, id, asked))
