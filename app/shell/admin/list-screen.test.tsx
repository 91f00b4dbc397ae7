import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterContextProvider,
  RouterProvider,
} from '@tanstack/react-router'
import { createInstance } from 'i18next'
import type { ReactNode } from 'react'
import { renderToReadableStream } from 'react-dom/server'
import { I18nextProvider } from 'react-i18next'
import { describe, expect, test } from 'vitest'
import type { Column } from '#app/ui/admin/data-table.tsx'
import { FilterBar } from '#app/ui/admin/toolbar.tsx'
import { findElements, renderMarkup, toVisibleText } from '#tests/support/markup.ts'
import { currentSiteQuery, siteSettingsQuery } from '../page-state.queries.ts'
import { ListChoice, ListFind } from './list-filters.tsx'
import { ListScreen } from './list-screen.tsx'
import { useList } from './use-list.tsx'

interface Search {
  q?: string
  role?: 'clerk' | 'mayor'
  sort?: 'name' | '-name'
  hide?: string
  page?: number
}
interface Person {
  id: string
  name: string
  role: string
}

const columns: readonly Column<Person>[] = [
  { id: 'name', head: 'Name', names: true, sortable: true, cell: ({ name }) => name },
  { id: 'role', head: 'Role', underName: ({ role }) => `is ${role}`, cell: ({ role }) => role },
  { id: 'seen', head: 'Last seen', secondary: true, cell: () => 'Monday' },
  { id: 'acts', head: 'Actions', acts: true, cell: () => 'Block' },
]
const ada = { id: '1', name: 'Ada', role: 'mayor' }
const found = {
  data: { data: [ada], meta: { total: 45 } },
  isError: false,
  isPending: false,
  isPlaceholderData: false,
  refetch: () => undefined,
}
const nothing = { ...found, data: { data: [], meta: { total: 0 } } }

/** Cells that small screens have no room for. */
const countSecondary = (html: string) => findElements(html, 'td').filter((cell) => cell['data-secondary'] === 'true').length

interface PeopleProps {
  search: Search
  query: typeof found
  hiddenAtFirst?: readonly string[]
}

function People({ search, query, hiddenAtFirst }: PeopleProps) {
  const list = useList(search, (next: Search) => ({ to: '/people', search: next }) as never)
  return (
    <ListScreen
      list={list}
      caption="People"
      columns={columns}
      query={query}
      pageSize={20}
      sort="-name"
      hides
      {...(hiddenAtFirst && { hiddenAtFirst })}
      filters={
        <FilterBar>
          <ListFind list={list} name="q" label="Search people" button="Find" />
          <ListChoice list={list} name="role" label="Role" any="Any role" options={[{ value: 'mayor', label: 'Mayor' }]} />
        </FilterBar>
      }
      none="Nobody yet"
      noMatch={{ title: 'Nobody matches', all: 'All people', filters: ['q', 'role'] }}
    />
  )
}

const translations = {
  en: {
    admin: {
      'load-failed': 'This could not be loaded',
      columns: 'Columns',
      filters: { active: 'This list is filtered.', clear: 'Show all' },
    },
    common: { 'try-again': 'Try again' },
  },
}

function createPeopleRouter(address: string) {
  const root = createRootRoute()
  const route = createRoute({
    getParentRoute: () => root,
    path: '/people',
    validateSearch: ({ q }: Record<string, unknown>): Search => (typeof q === 'string' ? { q } : {}),
    component: function AddressedPeople() {
      return <People search={route.useSearch()} query={found} />
    },
  })
  return createRouter({ routeTree: root.addChildren([route]), history: createMemoryHistory({ initialEntries: [address] }) })
}

const render = (search: Search, query: typeof found = found, hiddenAtFirst?: readonly string[]): string => {
  const router = createPeopleRouter('/people')
  return renderMarkup(
    addProviders(
      <RouterContextProvider router={router as never}>
        <People search={search} query={query} {...(hiddenAtFirst && { hiddenAtFirst })} />
      </RouterContextProvider>,
    ),
  )
}

async function renderAt(address: string): Promise<string> {
  const router = createPeopleRouter(address)
  await router.load()
  const stream = await renderToReadableStream(addProviders(<RouterProvider router={router as never} />))
  await stream.allReady
  return new Response(stream).text()
}

function addProviders(children: ReactNode) {
  const queryClient = new QueryClient()
  queryClient.setQueryData(currentSiteQuery.queryKey, { site: { region: 'ca', timeZone: 'America/Toronto' } } as never)
  queryClient.setQueryData(siteSettingsQuery.queryKey, {} as never)
  const i18n = createInstance()
  void i18n.init({ lng: 'en', resources: translations, defaultNS: 'common', initAsync: false })
  return (
    <I18nextProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </I18nextProvider>
  )
}

const links = (html: string) => findElements(html, 'a').map(({ href }) => href?.replaceAll('&amp;', '&'))

describe('a list of the administration', () => {
  test('sorts from the first page and keeps the filters', () => {
    expect(links(render({ q: 'a', page: 2 }))).toContain('/people?q=a&sort=name')
    expect(links(render({ q: 'a', page: 2, sort: 'name' }))).toContain('/people?q=a&sort=-name')
    expect(findElements(render({}), 'th').map((head) => head['aria-sort'])).toContain('descending')
  })

  test('turns pages without losing filters, order or hidden columns', () => {
    const pages = links(render({ role: 'mayor', sort: 'name', hide: 'role', page: 2 }))
    expect(pages).toContain('/people?role=mayor&sort=name&hide=role')
    expect(pages).toContain('/people?role=mayor&sort=name&hide=role&page=3')
  })

  test('is filtered by what it reads from the address, and by nothing else that stands there', async () => {
    const plain = await renderAt('/people?lng=fr-CA&utm_source=mail')
    expect(toVisibleText(plain)).toContain('Ada')
    expect(toVisibleText(plain)).not.toContain('This list is filtered')
    expect(links(plain).join(' ')).not.toMatch(/lng|utm/)
    expect(toVisibleText(await renderAt('/people?lng=fr-CA&q=ada'))).toContain('This list is filtered')
  })

  test('hides a column, but never the name or the actions', () => {
    const html = render({ hide: 'role,name,acts' })
    expect(toVisibleText(html)).not.toContain('is mayor')
    expect(toVisibleText(html)).toContain('Ada')
    expect(toVisibleText(html)).toContain('Block')
  })

  test('hides some columns until somebody chooses, and none if all are chosen', () => {
    const show = (search: Search) => toVisibleText(render(search, found, ['role']))
    expect(show({})).not.toContain('is mayor')
    expect(show({ hide: 'none' })).toContain('is mayor')
    expect(show({ hide: 'acts' })).toContain('is mayor')
    expect(show({ hide: 'role,acts' })).not.toContain('is mayor')
  })

  test('says the role under the name, for screens without room for its column', () => {
    const html = render({})
    expect(/<th scope="row">.*?<\/th>/.exec(html)?.[0]).toContain('is mayor')
    expect(countSecondary(html)).toBe(2)
  })

  test('shows a column that somebody chose on small screens too', () => {
    expect(countSecondary(render({ hide: 'none' }, found, ['seen']))).toBe(1)
    expect(toVisibleText(render({ hide: 'none' }, found, ['seen']))).toContain('Monday')
  })

  test('tells an empty list from one without a match, and leads back to all', () => {
    expect(toVisibleText(render({ sort: 'name', hide: 'role', page: 3 }, nothing))).toContain('Nobody yet')
    // The router also hands on parameters that the list does not know.
    const asking: object = { lng: 'cy' }
    expect(toVisibleText(render(asking, nothing))).toContain('Nobody yet')
    const filtered = render({ q: 'zz' }, nothing)
    expect(toVisibleText(filtered)).toContain('Nobody matches')
    expect(links(filtered)).toEqual(['/people'])
  })

  test('shows what was searched and chosen', () => {
    const html = render({ q: 'Ada', role: 'mayor' })
    expect(findElements(html, 'input').map(({ value }) => value)).toContain('Ada')
    expect(html).toMatch(/<option value="mayor" selected="">Mayor/)
  })

  test('offers to try again after a failure', () => {
    const text = toVisibleText(render({}, { ...found, isError: true }))
    expect(text).toContain('This could not be loaded')
    expect(text).toContain('Try again')
    expect(text).not.toContain('Ada')
  })
})
