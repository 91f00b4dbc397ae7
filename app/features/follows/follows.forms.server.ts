import { formHandler } from '#app/server/forms.ts'
import { setFollowing } from './follows.server.ts'

/** The follow button of a project's page. A visitor is led to sign in and back again. */
export const followForm = formHandler(async ({ ctx, values, params, path }) => {
  const slug = params['slug'] ?? ''
  const page = path(`/projects/${encodeURIComponent(slug)}`)
  if (ctx.viewer.kind === 'visitor') return `${path('/sign-in')}?${new URLSearchParams({ next: page })}`
  await setFollowing(ctx, { slug, following: values['following'] === 'yes' })
  return `${page}#follow`
})
