import * as v from 'valibot'
import { redirectToMailed } from '#app/features/accounts/mailed-address.server.ts'
import { emailSchema } from '#app/features/accounts/accounts.schema.ts'
import { setContributionFollowing } from '#app/features/contributions/following/follow-contribution.server.ts'
import { chooseTeamMails } from '#app/features/teamwork/team-mails.server.ts'
import { requireValid } from '#app/lib/validate.ts'
import { createFormHandler, type Submission } from '#app/server/forms.ts'
import { confirmEmailFollow, requestEmailFollow } from './email-follows.server.ts'
import { unsubscribeByLink, setFollowing, setFollowMails } from './follows.server.ts'
import { FOLLOW_MAILS } from './follows.schema.ts'

/** The follow button on a project's page. Visitors are asked for their email address. */
export const followForm = createFormHandler({ by: 'account', visitorsGoTo: buildFollowPath }, async ({ ctx, values, params, path }) => {
  await setFollowing(ctx, { slug: params['slug'] ?? '', following: values['following'] === 'yes' })
  return `${buildProjectPath({ params, path })}#follow`
})

type FormTarget = Pick<Submission, 'params' | 'path'>

const buildProjectPath = ({ params, path }: FormTarget) => path(`/projects/${encodeURIComponent(params['slug'] ?? '')}`)

function buildFollowPath({ params, path }: FormTarget): string {
  return `${path('/follow')}?${new URLSearchParams({ project: params['slug'] ?? '' })}`
}

const addressSchema = v.object({ email: emailSchema })

/** Following by email address, without an account: asks for the address, then confirms it with the emailed link. */
export const followByAddressForm = createFormHandler({ by: 'anyone' }, async ({ ctx, values, request, path }) => {
  const search = new URL(request.url).searchParams
  const token = search.get('token')
  if (token) {
    await confirmEmailFollow(ctx, token)
    return `${path('/follow')}?${new URLSearchParams({ token })}`
  }
  const project = search.get('project') ?? ''
  const { email } = requireValid(addressSchema, values)
  await requestEmailFollow(ctx, { slug: project, email })
  return redirectToMailed(ctx, `${path('/follow')}?${new URLSearchParams({ project, sent: 'mail' })}`, email)
})

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
  if (values['team'] !== undefined)
    await chooseTeamMails(ctx, { mentions: values['mentions'] === 'yes', weekly: values['weekly'] === 'yes' })
  else if (values['contribution'] !== undefined)
    await setContributionFollowing(ctx, requireValid(stopContributionSchema, values).contribution, false)
  else if (values['stop'] === undefined) await setFollowMails(ctx, requireValid(mailsSchema, values).mails)
  else await setFollowing(ctx, { slug: requireValid(stopSchema, values).stop, following: false })
  return `${path('/account/follows')}?done=profile`
})
