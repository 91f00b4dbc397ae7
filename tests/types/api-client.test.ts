import { describe, expectTypeOf, it } from 'vitest'
import type { Api } from '#app/lib/api-client/client.ts'
import { findLinked } from '#app/lib/api-client/documents.ts'
import type { Resource, TypeName } from '#app/lib/api-client/resource-types.ts'
import type { FixtureShapes } from '#tests/api/engine-fixture.ts'

/** Calls that must not compile: they are type-checked but never run. */
const checked = (_calls: (api: Api<FixtureShapes>) => unknown): void => {}

describe('the API client', () => {
  it('knows what a list returns', () => {
    checked(async (api) => {
      const page = await api.list('projects', { include: ['hub', 'hub.projects'], sort: ['-participants', 'slug'] })
      expectTypeOf(page.data).toEqualTypeOf<readonly Resource<'projects', FixtureShapes>[]>()
      const [project] = page.data
      expectTypeOf(project?.title).toEqualTypeOf<string | undefined>()
      expectTypeOf(project?.status).toEqualTypeOf<'draft' | 'published' | undefined>()
      expectTypeOf(project?.opensAt).toEqualTypeOf<string | null | undefined>()
      expectTypeOf(project?.meta.can.remove).toEqualTypeOf<boolean | undefined>()
      expectTypeOf(page.meta.total).toEqualTypeOf<number>()
      const hub = findLinked(page, project?.relationships.hub)
      expectTypeOf(hub?.type).toEqualTypeOf<'hubs' | undefined>()
      expectTypeOf(hub?.slug).toEqualTypeOf<string | undefined>()
      expectTypeOf(findLinked(page, hub?.relationships.projects)[0]?.participants).toEqualTypeOf<number | undefined>()
    })
    expectTypeOf<TypeName<FixtureShapes>>().toEqualTypeOf<'hubs' | 'topics' | 'projects' | 'weather' | 'doors'>()
  })

  it('knows what sparse fieldsets leave out', () => {
    checked(async (api) => {
      const { data, included } = await api.get('projects', '1', {
        fields: { projects: ['slug', 'hub'], hubs: ['title'] },
        include: ['hub'],
      })
      expectTypeOf(data.slug).toEqualTypeOf<string>()
      // @ts-expect-error the title was not asked for
      void data.title
      const hub = included.find((one) => one.type === 'hubs')
      expectTypeOf(hub?.title).toEqualTypeOf<string | undefined>()
      // @ts-expect-error nor was the hub's slug
      void hub?.slug
    })
    expectTypeOf<Api>().toHaveProperty('get')
  })

  it('refuses unknown resources, attributes, filters, sorts, includes and fields', () => {
    checked((api) => {
      // @ts-expect-error no such resource
      void api.list('planets')
      // @ts-expect-error topics cannot be listed
      void api.list('topics')
      // @ts-expect-error projects have no PUT
      void api.put('projects', '1', { attributes: { slug: '', titleTranslations: {} } })
      // @ts-expect-error no such filter
      void api.list('projects', { filter: { colour: 'red' } })
      // @ts-expect-error no such choice
      void api.list('projects', { filter: { status: 'gone' } })
      // @ts-expect-error a flag is not a string
      void api.list('projects', { filter: { busy: 'yes' } })
      // @ts-expect-error no such sort
      void api.list('projects', { sort: '-title' })
      // @ts-expect-error no such relationship
      void api.list('projects', { include: ['owner'] })
      // @ts-expect-error no such relationship of hubs
      void api.list('projects', { include: ['hub.topic'] })
      // @ts-expect-error no such field
      void api.list('projects', { fields: { projects: ['colour'] } })
      // @ts-expect-error the note is never read
      void api.get('projects', '1', { fields: { projects: ['note'] } })
      // @ts-expect-error no such type
      void api.list('projects', { fields: { planets: [] } })
      // @ts-expect-error a singleton has no collection
      void api.get('weather', '1')
      // @ts-expect-error a collection is not a singleton
      void api.read('projects')
    })
    expectTypeOf<Api<FixtureShapes>['list']>().toBeFunction()
  })

  it('refuses to send what cannot be set', () => {
    checked((api) => {
      const good = { slug: 'a', titleTranslations: { en: 'A' } }
      void api.create('projects', { attributes: good })
      // @ts-expect-error the title is required
      void api.create('projects', { attributes: { slug: 'a' } })
      // @ts-expect-error the status is not the client's to set
      void api.create('projects', { attributes: { ...good, status: 'published' } })
      // @ts-expect-error a number is not a slug
      void api.create('projects', { attributes: { ...good, slug: 1 } })
      // @ts-expect-error a hub is not a topic
      void api.create('projects', { attributes: good, relationships: { hub: { type: 'topics', id: '1' } } })
      // @ts-expect-error topics are not set here
      void api.create('projects', { attributes: good, relationships: { topic: null } })
      // @ts-expect-error the note can only be given when creating
      void api.update('projects', '1', { attributes: { note: '' } }, { lockVersion: 1 })
      // @ts-expect-error the version is missing
      void api.update('projects', '1', { attributes: { slug: 'b' } })
      // @ts-expect-error projects have no relationship of that name
      void api.related('projects', '1', 'owner')
      // @ts-expect-error nothing can be added to a to-one relationship
      void api.addLinks('projects', '1', 'hub', [])
      // @ts-expect-error projects are not hubs
      void api.addLinks('hubs', '1', 'projects', [{ type: 'hubs', id: '1' }])
      // @ts-expect-error no such sky
      void api.updateSingleton('weather', { attributes: { sky: 'green' } })
    })
    expectTypeOf<Api<FixtureShapes>['create']>().toBeFunction()
  })
})

describe('the product’s own client', () => {
  it('knows the registered resources by name', () => {
    const calls = (api: Api) => {
      void api.list('projects', { include: ['hub'] })
      // @ts-expect-error no such resource
      void api.list('planets')
      // @ts-expect-error no such attribute
      void api.get('projects', '1').then(({ data }) => data.colour)
    }
    expectTypeOf(calls).toBeFunction()
    expectTypeOf<'projects' | 'hubs'>().toExtend<TypeName>()
  })
})
