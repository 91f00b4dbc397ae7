import * as v from 'valibot'
import { requireValid } from '#app/lib/validate.ts'
import { createFormHandler, type Submission } from '#app/server/forms.ts'
import { unsubscribeByLink, setFollowing, setFollowMails } from './follows.server.ts'
import { FOLLOW_MAILS } from './follows.schema.ts'

/** The follow button of a project's page. A visitor is led to sign in and back again. */
export const followForm = createFormHandler({ by: 'account', visitorsGoTo: buildSignInPath }, async ({ ctx, values, params, path }) => {
  await setFollowing(ctx, { slug: params['slug'] ?? '', following: values['following'] === 'yes' })
  return `${buildProjectPath({ params, path })}#follow`
})

type FormTarget = Pick<Submission, 'params' | 'path'>

const buildProjectPath = ({ params, path }: FormTarget) => path(`/projects/${encodeURIComponent(params['slug'] ?? '')}`)

function buildSignInPath(address: FormTarget): string {
  return `${address.path('/sign-in')}?${new URLSearchParams({ next: buildProjectPath(address) })}`
}

/** The button behind a mail's link; and the mail program that presses it for its reader, which wants no page. */
export const unfollowForm = createFormHandler({ by: 'anyone' }, async ({ ctx, values, request, path }) => {
  const token = new URL(request.url).searchParams.get('token') ?? ''
  await unsubscribeByLink(ctx, token)
  if (values['List-Unsubscribe'] === 'One-Click') return new Response(null, { status: 200 })
  return `${path('/unfollow')}?${new URLSearchParams({ token })}`
})

const mailsSchema = v.object({ mails: v.picklist(FOLLOW_MAILS) })
const stopSchema = v.object({ stop: v.pipe(v.string(), v.maxLength(200)) })

/** The forms of the page where somebody sees what they follow: how often they hear of it, and what they follow no longer. */
export const followsForm = createFormHandler({ by: 'account' }, async ({ ctx, values, path }) => {
  if (values['stop'] === undefined) await setFollowMails(ctx, requireValid(mailsSchema, values).mails)
  else await setFollowing(ctx, { slug: requireValid(stopSchema, values).stop, following: false })
  return `${path('/account/follows')}?done=profile`
})
