import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { RichText } from './RichText.tsx'

test('renders markup at the given heading level and passes links to this site through `href`', () => {
  const html = renderToStaticMarkup(
    <RichText
      text={'## Plan\n\nSee **[all](/projects)** or\n[us](https://x.example)\n- one'}
      level={3}
      lang="cy"
      href={(path) => `/cy${path}`}
    />,
  )
  expect(html).toBe(
    '<div class="prose" lang="cy"><h3>Plan</h3><p>See <strong><a href="/cy/projects">all</a></strong> or<br/>' +
      '<a href="https://x.example" rel="noopener nofollow ugc">us</a></p><ul><li>one</li></ul></div>',
  )
})

test('renders hostile text as text', () => {
  const html = renderToStaticMarkup(
    <RichText
      text={'<img src=x onerror=alert(1)>\n\n[a](javascript:alert(1)) [b](/"onmouseover="alert(1)) </script><script>alert(2)</script>'}
    />,
  )
  expect(html).not.toMatch(/<(img|script)|href="javascript|" ?onmouseover="/)
})
