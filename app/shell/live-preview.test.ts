import { expect, it } from 'vitest'
import { isLivePreview } from './live-preview.ts'

it.each([
  ['/live-preview/home', true],
  ['/fr-CA/live-preview/projects/a', true],
  ['/admin/live-preview', true],
  ['/projects/my-live-preview-project', true],
  ['/live-previews', true],
  ['/', false],
  ['/live/preview', false],
  ['/projects/livepreview', false],
])('the path %s is live preview: %s', (path, expected) => {
  expect(isLivePreview(path)).toBe(expected)
})
