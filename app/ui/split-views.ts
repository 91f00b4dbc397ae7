import { type ComponentType, lazy } from 'react'

/**
 * Code-split views that only the pages showing them load. `prepare` preloads some, so that the server can render them into the page's HTML.
 * `view` returns the component; in the browser it suspends while its file loads, and hydration keeps the server's HTML until then.
 */
export function splitViews<Name extends string, Props>(files: {
  readonly [One in Name]: () => Promise<{ default: ComponentType<Props> }>
}) {
  const ready = new Map<Name, ComponentType<Props>>()
  const lazies = new Map<Name, ComponentType<Props>>()
  return {
    prepare: async (names: Iterable<Name>): Promise<void> => {
      await Promise.all(
        Array.from(new Set(names), async (name) => {
          if (!ready.has(name)) ready.set(name, (await files[name]()).default)
        }),
      )
    },
    view: (name: Name): ComponentType<Props> => {
      const known = ready.get(name) ?? lazies.get(name)
      if (known) return known
      const fresh = lazy(files[name]) as unknown as ComponentType<Props>
      lazies.set(name, fresh)
      return fresh
    },
  }
}
