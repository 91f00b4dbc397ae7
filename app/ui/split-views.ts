import { type ComponentType, lazy } from 'react'

/**
 * Views that are files of their own, which only pages that show them load. `prepare` loads some, so that they render at once: on the
 * server into the page's HTML. `view` is the component; in the browser one that is not here yet suspends until it is, and a page that
 * came as HTML keeps it meanwhile.
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
