import * as v from 'valibot'
import { setContributionFollowing } from '#app/features/contributions/following/follow-contribution.server.ts'
import { requireValid } from '#app/lib/validate.ts'
import { createFormHandler, type Submission } from '#app/server/forms.ts'
import { unsubscribeByLink, setFollowing, setFollowMails } from './follows.server.ts'
import { FOLLOW_MAILS } from './follows.schema.ts'

/** The follow button on a project's page. Visitors are sent to sign in and then return. */
export const followForm = createFormHandler({ by: 'account', visitorsGoTo: buildSignInPath }, async ({ ctx, values, params, path }) => {
  await setFollowing(ctx, { slug: params['slug'] ?? '', following: values['following'] === 'yes' })
  return `${buildProjectPath({ params, path })}#follow`
})

type FormTarget = Pick<Submission, 'params' | 'path'>

const buildProjectPath = ({ params, path }: FormTarget) => path(`/projects/${encodeURIComponent(params['slug'] ?? '')}`)

function buildSignInPath(address: FormTarget): string {
  return `${address.path('/sign-in')}?${new URLSearchParams({ next: buildProjectPath(address) })}`
}

/** The unsubscribe button, and one-click unsubscribe by email programs, which want no page (RFC 8058). */
export const unfollowForm = createFormHandler({ by: 'anyone' }, async ({ ctx, values, request, path }) => {
  const token = new URL(request.url).searchParams.get('token') ?? ''
  await unsubscribeByLink(ctx, token)
  if (values['List-Unsubscribe'] === 'One-Click') return new Response(null, { status: 200 })
  return `${path('/unfollow')}?${new URLSearchParams({ token })}`
})

const mailsSchema = v.object({ mails: v.picklist(FOLLOW_MAILS) })
const stopSchema = v.object({ stop: v.pipe(v.string(), v.maxLength(200)) })
const stopContributionSchema = v.object({ contribution: v.pipe(v.string(), v.uuid()) })

/** Forms of the page of what somebody follows: changing the frequency of emails, and unfollowing. */
export const followsForm = createFormHandler({ by: 'account' }, async ({ ctx, values, path }) => {
  if (values['contribution'] !== undefined)
    await setContributionFollowing(ctx, requireValid(stopContributionSchema, values).contribution, false)
  else if (values['stop'] === undefined) await setFollowMails(ctx, requireValid(mailsSchema, values).mails)
  else await setFollowing(ctx, { slug: requireValid(stopSchema, values).stop, following: false })
  return `${path('/account/follows')}?done=profile`
})
