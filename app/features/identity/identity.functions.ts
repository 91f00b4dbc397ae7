import { createServerFn } from '@tanstack/react-start'
import { getCookie, setResponseStatus } from '@tanstack/react-start/server'
import * as v from 'valibot'
import { createInputValidator, noInput } from '#app/lib/validate.ts'
import { PROVIDER_AUDIENCES, SIGN_IN_FAULTS, type SignInFaultCode } from '#app/lib/vocabulary/identity.ts'
import { loadPendingSignIn } from './confirm-sign-in.server.ts'
import { listIdentities, listLinkableProviders, loadSignInOptions } from './identities.server.ts'

export const readSignInOptions = createServerFn()
  .validator(createInputValidator(v.object({ audience: v.picklist(PROVIDER_AUDIENCES) })))
  .handler(({ data, context }) => loadSignInOptions(context.ctx, data.audience))

/** What the visitor has to confirm; null with status 410 if there is nothing any more. */
export const readPendingSignIn = createServerFn()
  .validator(noInput)
  .handler(async ({ context }) => {
    const pending = await loadPendingSignIn(context.ctx, getCookie)
    if (!pending) setResponseStatus(410)
    return pending
  })

const MAX_IDENTITIES = 50

/** The viewer's identities and what more they may link. */
export const readSignInMethods = createServerFn()
  .validator(noInput)
  .handler(async ({ context: { ctx } }) => ({
    identities: (await listIdentities(ctx, { offset: 0, limit: MAX_IDENTITIES })).rows,
    providers: await listLinkableProviders(ctx),
  }))

const STATUS_OF_FAULT: Partial<Record<SignInFaultCode, number>> = {
  'too-many': 429,
  unreachable: 424,
  'client-refused': 424,
  'level-too-low': 403,
  'identity-not-proven': 403,
  'domain-refused': 403,
  'groups-incomplete': 403,
  'groups-unclear': 403,
  'not-active': 404,
  blocked: 403,
  'linked-to-other': 409,
  'staff-account': 403,
}

/** Sets the status of the page that tells of a failure. */
export const markFailure = createServerFn()
  .validator(createInputValidator(v.object({ fault: v.picklist(SIGN_IN_FAULTS) })))
  .handler(({ data: { fault } }) => {
    setResponseStatus(STATUS_OF_FAULT[fault] ?? 400)
    return fault
  })
