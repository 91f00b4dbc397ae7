import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect } from 'vitest'

export const renderMarkup = (element: ReactElement): string => renderToStaticMarkup(element)

/** The attributes of every element of one name, in the order of the page. */
export function findElements(html: string, name: string): Record<string, string>[] {
  return Array.from(html.matchAll(new RegExp(`<${name}((?:\\s+[\\w-]+(?:="[^"]*")?)*)\\s*/?>`, 'g')), ([, attributes]) =>
    Object.fromEntries(Array.from((attributes ?? '').matchAll(/([\w-]+)(?:="([^"]*)")?/g), ([, key, value]) => [key ?? '', value ?? ''])),
  )
}

export const findFirstElement = (html: string, name: string): Record<string, string> => findElements(html, name)[0] ?? {}

/** The words of a page, without its tags. */
export const toVisibleText = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Every id that something points to is on the page, and no id twice. */
export function expectSoundReferences(html: string): void {
  const ids = Array.from(html.matchAll(/\sid="([^"]+)"/g), ([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const [, attribute, value] of html.matchAll(/\s(for|aria-describedby|aria-labelledby|aria-controls)="([^"]+)"/g))
    for (const id of (value ?? '').split(' ')) expect(ids, `${attribute} points to ${id}`).toContain(id)
}
