import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect } from 'vitest'

export const renderMarkup = (element: ReactElement): string => renderToStaticMarkup(element)

/** The attributes of every element with this tag name, in document order. */
export function findElements(html: string, name: string): Record<string, string>[] {
  return Array.from(html.matchAll(new RegExp(`<${name}((?:\\s+[\\w-]+(?:="[^"]*")?)*)\\s*/?>`, 'g')), ([, attributes]) =>
    Object.fromEntries(Array.from((attributes ?? '').matchAll(/([\w-]+)(?:="([^"]*)")?/g), ([, key, value]) => [key ?? '', value ?? ''])),
  )
}

export const findFirstElement = (html: string, name: string): Record<string, string> => findElements(html, name)[0] ?? {}

/** The page's text, without tags. */
export const toVisibleText = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Asserts that ids are unique and that every reference points to an existing id. */
export function expectSoundReferences(html: string): void {
  const ids = Array.from(html.matchAll(/\sid="([^"]+)"/g), ([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const [, attribute, value] of html.matchAll(/\s(for|aria-describedby|aria-labelledby|aria-controls)="([^"]+)"/g))
    for (const id of (value ?? '').split(' ')) expect(ids, `${attribute} points to ${id}`).toContain(id)
}
