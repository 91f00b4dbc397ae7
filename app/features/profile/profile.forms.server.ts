import * as v from 'valibot'
import { findNextPath, readRegistration } from '#app/features/accounts/accounts.forms.server.ts'
import { redirectToMailed } from '#app/features/accounts/mailed-address.server.ts'
import { registerParticipant } from '#app/features/accounts/registration.server.ts'
import { followAfterRegistration } from '#app/features/follows/follow-intent.server.ts'
import { storeAnswers } from '#app/features/profile-answers/store-answers.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { parseLocalPath } from '#app/lib/local-path.ts'
import { requireValid } from '#app/lib/validate.ts'
import { createFormHandler, readText } from '#app/server/forms.ts'
import { forgetOwnAnswer, saveOwnAnswer, saveReceiptAnswers } from './answers.server.ts'
import { profileKeySchema } from './profile.schema.ts'
import { checkSentAnswers } from './check-answers.server.ts'

/** Creates an account with what the person said about themselves. Faults of all fields are reported together. */
export const registerForm = createFormHandler({ by: 'anyone' }, async ({ ctx, values, request, path }) => {
  const { faults, registration } = readRegistration(ctx, values)
  await ctx.db.tx((tx) => checkSentAnswers(ctx, tx, values, 'sign-up', faults))
  if (!registration) throw new AppError('invalid', { faults })
  const { id } = await registerParticipant(ctx, registration, async (tx, userId) =>
    storeAnswers(ctx, tx, userId, await checkSentAnswers(ctx, tx, values, 'sign-up'), 'person'),
  )
  await followAfterRegistration(ctx, id, findNextPath(request))
  return redirectToMailed(ctx, path('/check-mail?for=register'), registration.email)
})

const ownFormSchema = v.object({ form: v.picklist(['save', 'forget']), question: profileKeySchema })

/** Forms of the page where people see, change and delete what they said about themselves, each with one question; and of the card on receipts. */
export const ownAnswersForm = createFormHandler({ by: 'account' }, async ({ ctx, values, path }) => {
  if (values['form'] === 'receipt') {
    await saveReceiptAnswers(ctx, values)
    return parseLocalPath(readText(values['next'])) ?? path('/account/about-you?done=answer-saved')
  }
  const { form, question } = requireValid(ownFormSchema, values)
  if (form === 'forget') await forgetOwnAnswer(ctx, { key: question })
  else await saveOwnAnswer(ctx, question, values)
  return path(`/account/about-you?done=${form === 'forget' ? 'answer-deleted' : 'answer-saved'}`)
})
