import { createFormHandler } from '#app/server/forms.ts'
import { SENDING_ACTS } from './desk-search.ts'
import { changeSending } from './send-answer-sets.server.ts'

/** The buttons that stop an answer to many, send the rest, or remove it from the list. */
export const answerSetForm = createFormHandler({ by: 'account' }, async ({ ctx, params, path, values }) => {
  const id = params['id'] ?? ''
  const act = SENDING_ACTS.find((known) => known === values['act']) ?? 'stop'
  await changeSending(ctx, { id, act })
  return path(act === 'dismiss' ? '/admin/contributions' : `/answer-sets/${id}`)
})
