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

test('a picture opens whole, under the name of its alternative text; those that follow each other are neighbours in a gallery', () => {
  const [bridge, mill] = ['/media/01a20e4b-cc01-73c8-9502-1266dd63be83', '/media/01a20e4b-d8c8-722c-8f84-7030b8db9e54']
  const html = renderToStaticMarkup(<RichText text={`![A bridge](${bridge})\n\n![A mill](${mill})`} />)
  expect(html).toContain(
    `<a class="prose-picture" href="${bridge}"><img src="${bridge}" alt="A bridge" loading="lazy"/></a><a class="prose-picture" href="${mill}">`,
  )
})
