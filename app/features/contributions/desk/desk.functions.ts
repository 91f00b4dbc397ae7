import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { createTranslatedSchema } from '#app/lib/translated-schema.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { createInputValidator, createQuerySchema, noInput } from '#app/lib/validate.ts'
import {
  askAgainForAnswerSet,
  askForAnswerSet,
  decideOnAnswerSet,
  listAnswerSets,
  listSetMembers,
  sendToMany,
} from './answer-sets.server.ts'
import { planDeskAnswer } from './desk-answers.server.ts'
import { assignFromDesk, planDeskAssignment } from './desk-assignment.server.ts'
import { planDeskStep, takeDeskStep } from './desk-bulk.server.ts'
import { readDeskEntry } from './desk-entry.server.ts'
import { listDesk, readDeskFrame } from './desk-list.server.ts'
import { changeSending, readSendingProgress } from './send-answer-sets.server.ts'
import { DESK_BULK_MOST, DESK_BULK_SIZE, DESK_STEPS, readDeskSearch, SENDING_ACTS, SET_ACTS } from './desk-search.ts'

export const loadDesk = createServerFn()
  .validator(createInputValidator(createQuerySchema(readDeskSearch)))
  .handler(({ data, context: { ctx } }) => listDesk(ctx, data))

export const loadDeskFrame = createServerFn()
  .validator(createInputValidator(v.object({ activity: v.nullable(idSchema) })))
  .handler(({ data: { activity }, context: { ctx } }) => readDeskFrame(ctx, activity))

export const loadDeskEntry = createServerFn()
  .validator(createInputValidator(v.object({ id: idSchema, search: createQuerySchema(readDeskSearch) })))
  .handler(({ data: { id, search }, context: { ctx } }) => readDeskEntry(ctx, id, search))

/** The chosen ones may be many more than fit into an address. */
const chosenSchema = v.union([
  v.object({ search: createQuerySchema(readDeskSearch) }),
  v.object({ ids: v.pipe(v.array(idSchema), v.maxLength(500)) }),
])

export const planStep = createServerFn({ method: 'POST' })
  .validator(createInputValidator(v.object({ step: v.picklist(DESK_STEPS), chosen: chosenSchema })))
  .handler(({ data: { step, chosen }, context: { ctx } }) => planDeskStep(ctx, step, chosen))

export const takeStep = createServerFn({ method: 'POST' })
  .validator(
    createInputValidator(
      v.object({
        ids: v.pipe(v.array(idSchema), v.maxLength(DESK_BULK_SIZE)),
        step: v.picklist(DESK_STEPS),
        rule: v.optional(v.pipe(v.string(), v.maxLength(80))),
        reason: v.optional(v.pipe(v.string(), v.maxLength(2000))),
      }),
    ),
  )
  .handler(({ data, context: { ctx } }) => takeDeskStep(ctx, data))

export const planAssignment = createServerFn({ method: 'POST' })
  .validator(createInputValidator(v.object({ chosen: chosenSchema })))
  .handler(({ data: { chosen }, context: { ctx } }) => planDeskAssignment(ctx, chosen))

export const assignMany = createServerFn({ method: 'POST' })
  .validator(
    createInputValidator(v.object({ ids: v.pipe(v.array(idSchema), v.maxLength(DESK_BULK_SIZE)), assigneeId: v.nullable(idSchema) })),
  )
  .handler(({ data, context: { ctx } }) => assignFromDesk(ctx, data))

export const planAnswer = createServerFn({ method: 'POST' })
  .validator(createInputValidator(v.object({ chosen: chosenSchema })))
  .handler(({ data: { chosen }, context: { ctx } }) => planDeskAnswer(ctx, chosen))

const answerSchema = {
  status: v.nullable(idSchema),
  textTranslations: createTranslatedSchema(5000),
  teamTranslations: createTranslatedSchema(120),
  waived: v.pipe(v.array(v.pipe(v.string(), v.maxLength(40))), v.maxLength(20)),
}

const manySchema = v.object({ id: idSchema, ids: v.pipe(v.array(idSchema), v.maxLength(DESK_BULK_MOST)), ...answerSchema })

export const sendToSeveral = createServerFn({ method: 'POST' })
  .validator(createInputValidator(manySchema))
  .handler(({ data, context: { ctx } }) => sendToMany(ctx, data))

const setSchema = { id: idSchema, lockVersion: v.pipe(v.number(), v.integer(), v.minValue(1)) }

export const loadAnswerSets = createServerFn()
  .validator(noInput)
  .handler(({ context: { ctx } }) => listAnswerSets(ctx))

export const loadSetMembers = createServerFn()
  .validator(createInputValidator(v.object({ id: idSchema, page: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)) })))
  .handler(({ data, context: { ctx } }) => listSetMembers(ctx, data))

export const askForAnswers = createServerFn({ method: 'POST' })
  .validator(createInputValidator(manySchema))
  .handler(({ data, context: { ctx } }) => askForAnswerSet(ctx, data))

export const askAgainForAnswers = createServerFn({ method: 'POST' })
  .validator(createInputValidator(v.object({ ...setSchema, ...answerSchema })))
  .handler(({ data, context: { ctx } }) => askAgainForAnswerSet(ctx, data))

export const decideOnAnswers = createServerFn({ method: 'POST' })
  .validator(
    createInputValidator(v.object({ ...setSchema, act: v.picklist(SET_ACTS), reason: v.optional(v.pipe(v.string(), v.maxLength(2000))) })),
  )
  .handler(({ data, context: { ctx } }) => decideOnAnswerSet(ctx, data))

export const changeSendingOf = createServerFn({ method: 'POST' })
  .validator(createInputValidator(v.object({ id: idSchema, act: v.picklist(SENDING_ACTS) })))
  .handler(({ data, context: { ctx } }) => changeSending(ctx, data))

/** How far an answer to many is. */
export const loadSendingProgress = createServerFn()
  .validator(createInputValidator(v.object({ id: v.string() })))
  .handler(({ data: { id }, context: { ctx } }) => readSendingProgress(ctx, id))
