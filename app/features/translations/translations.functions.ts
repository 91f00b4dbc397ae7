import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { contentLanguageSchema } from '#app/lib/language-schema.ts'
import { createInputValidator, createQuerySchema } from '#app/lib/validate.ts'
import { changeTexts } from './bulk.server.ts'
import { askMachine, publishText, readDesk, saveTranslation, settleText } from './desk.server.ts'
import { readDeskSearch, TEXT_ACTS, TEXT_STATES, TEXTS_PER_PAGE } from './translations.schema.ts'

export const getDesk = createServerFn()
  .validator(createInputValidator(createQuerySchema(readDeskSearch)))
  .handler(({ data, context }) => readDesk(context.ctx, data))

const idSchema = v.pipe(v.string(), v.maxLength(400))

/** Does the same with a batch of the texts that match. */
export const changeDeskTexts = createServerFn({ method: 'POST' })
  .validator(
    createInputValidator(
      v.strictObject({
        act: v.picklist(TEXT_ACTS),
        state: v.picklist(TEXT_STATES),
        search: createQuerySchema(readDeskSearch),
        ids: v.optional(v.pipe(v.array(idSchema), v.maxLength(TEXTS_PER_PAGE))),
        after: v.optional(idSchema),
      }),
    ),
  )
  .handler(({ data: { search, state, ...change }, context }) => changeTexts(context.ctx, { ...change, search: { ...search, state } }))

const MAX_TEXT = 100_000
const textSchema = v.pipe(v.string(), v.maxLength(MAX_TEXT))
const settled = { id: idSchema, language: contentLanguageSchema, source: textSchema, was: textSchema }

export const sendTranslation = createServerFn({ method: 'POST' })
  .validator(createInputValidator(v.strictObject({ ...settled, translation: textSchema })))
  .handler(({ data: { id, ...change }, context }) => saveTranslation(context.ctx, id, change))

export const keepTranslation = createServerFn({ method: 'POST' })
  .validator(createInputValidator(v.strictObject(settled)))
  .handler(({ data: { id, ...change }, context }) => settleText(context.ctx, id, change))

/** Publishes the draft that a text is in. @returns whether it is public, or a review of it was asked for */
export const publishDeskText = createServerFn({ method: 'POST' })
  .validator(
    createInputValidator(
      v.strictObject({ id: idSchema, waived: v.pipe(v.array(v.pipe(v.string(), v.maxLength(400))), v.maxLength(5000)) }),
    ),
  )
  .handler(({ data: { id, waived }, context }) => publishText(context.ctx, id, waived))

/** Has the site's service translate a text. @returns what it says, which is not saved */
export const askForTranslation = createServerFn({ method: 'POST' })
  .validator(createInputValidator(v.strictObject({ id: settled.id, language: contentLanguageSchema, source: textSchema })))
  .handler(({ data: { id, ...asked }, context }) => askMachine(context.ctx, id, asked))
