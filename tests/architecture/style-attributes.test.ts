import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const app = resolve(import.meta.dirname, '../../app')

/** The components that style an element by an attribute, each for a value that no stylesheet can know. The content policy allows it for them. */
const UNAVOIDABLE: Readonly<Record<string, string>> = {
  'features/appearance/admin/LookDifferences.tsx': 'a colour that somebody chose',
  'features/homepage/FrameOnDemand.tsx': 'the size of what is framed',
  'features/homepage/blocks/hero/HeroBlock.tsx': 'the focal point of a picture',
  'features/homepage/blocks/picture-text/PictureText.tsx': 'the focal point of a picture',
  'features/homepage/blocks/video/Video.tsx': 'the focal point of a picture',
  'features/live-preview/admin/FramedPage.tsx': 'the scale of the previewed page',
  'features/media/admin/FocalPoint.tsx': 'the place of the focal point',
  'ui/OutsideFrame.tsx': 'the size of what is framed',
  'ui/admin/chart-reader.tsx': 'the place of a value',
  'ui/admin/writing/RichTextEditor.tsx': 'the number of rows',
  'ui/avatar.tsx': 'the colour of a name',
  'ui/bar-chart.tsx': 'the length of a bar',
  'ui/line-plot.tsx': 'the place of a value',
  'ui/progress-bar.tsx': 'the length of a bar',
  'ui/rating.tsx': 'the number of columns',
  'ui/stacked-bars.tsx': 'the length and shade of a bar',
}

test('elements are styled by attributes only where no stylesheet can know the value', () => {
  const found = readdirSync(app, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx'))
    .filter((file) => /\bstyle=\{/.test(readFileSync(join(app, file), 'utf8')))
  expect(found.toSorted()).toEqual(Object.keys(UNAVOIDABLE).toSorted())
})
