import { formHandler } from '#app/server/forms.ts'
import { setFollowing, leaveByLink } from './follows.server.ts'

/** The follow button of a project's page. A visitor is led to sign in and back again. */
export const followForm = formHandler(async ({ ctx, values, params, path }) => {
  const slug = params['slug'] ?? ''
  const page = path(`/projects/${encodeURIComponent(slug)}`)
  if (ctx.viewer.kind === 'visitor') return `${path('/sign-in')}?${new URLSearchParams({ next: page })}`
  await setFollowing(ctx, { slug, following: values['following'] === 'yes' })
  return `${page}#follow`
})

/** The button behind a mail's link; and the mail program that presses it for its reader, which wants no page. */
export const unfollowForm = formHandler(async ({ ctx, values, request, path }) => {
  const token = new URL(request.url).searchParams.get('token') ?? ''
  await leaveByLink(ctx, token)
  if (values['List-Unsubscribe'] === 'One-Click') return new Response(null, { status: 200 })
  return `${path('/unfollow')}?${new URLSearchParams({ token })}`
})
