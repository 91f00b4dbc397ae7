import { expect, test } from 'vitest'
import { maskBodies } from './mask-secrets.ts'

const token = 'Zk3vQ8mN2pR7tY5wZk3vQ8mN2pR7tY5wZk3vQ8mN2pR'

test.each([
  ['a signed link that ends the mails of a project', `https://riverbend.example/unfollow/cHJvamVjdA.${token}`],
  ['a token on its own', `Paste this: ${token}`],
  ['a link with a parameter', `https://riverbend.example/reset-password?token=${token}&lng=en`],
])('%s is masked in both bodies, and kept for its reader', (_, text) => {
  const bodies = { text, html: `<p>${text}</p>` }
  const { shown, secret } = maskBodies(bodies)
  expect(shown.text + shown.html).not.toContain(token)
  expect(secret).toEqual(bodies)
})

test('a mail without secrets is shown as it is', () => {
  const bodies = { text: 'The library opens on Monday.', html: '<p>https://riverbend.example/projects/fern-street</p>' }
  expect(maskBodies(bodies)).toEqual({ shown: bodies, secret: null })
})
