import { Link, redirect, useNavigate } from '@tanstack/react-router'
import { expect, test } from 'vitest'
import { Route as projectPage } from '#app/routes/_site/projects.$slug.index.tsx'
import { Route as projectList } from '#app/routes/_site/projects.index.tsx'
import { Route as projectTable } from '#app/routes/admin/projects/index.tsx'

/** Never runs: `npm run typecheck` fails if a line marked as wrong is accepted or a right one is not. */
function links() {
  const navigate = useNavigate()
  return [
    <Link key="1" to="/projects" search={{ status: 'open' }} />,
    <Link key="2" to="/projects/$slug" params={{ slug: 'fern-street' }} />,
    // @ts-expect-error -- no such page
    <Link key="3" to="/project" />,
    // @ts-expect-error -- a path with a parameter needs its value
    <Link key="4" to="/projects/$slug" />,
    // @ts-expect-error -- the parameter has another name
    <Link key="5" to="/projects/$slug" params={{ id: 'fern-street' }} />,
    // @ts-expect-error -- parameters are strings
    <Link key="6" to="/projects/$slug" params={{ slug: 7 }} />,
    // @ts-expect-error -- no such status
    <Link key="7" to="/projects" search={{ status: 'ajar' }} />,
    // @ts-expect-error -- no such search parameter
    <Link key="8" to="/projects" search={{ colour: 'red' }} />,
    // @ts-expect-error -- pages are numbered
    <Link key="9" to="/admin/outbox" search={{ page: 'two' }} />,
    () => navigate({ to: '/admin/projects/$id', params: { id: 'x' } }),
    // @ts-expect-error -- no such page
    () => navigate({ to: '/admin/project' }),
    // @ts-expect-error -- no such sort
    () => navigate({ to: '/admin/projects', search: { sort: 'colour' } }),
    // @ts-expect-error -- no such page
    () => redirect({ to: '/signin' }),
  ]
}

function parameters() {
  const { slug } = projectPage.useParams()
  const { status, page } = projectList.useSearch()
  const { sort } = projectTable.useSearch()
  return [
    slug satisfies string,
    page satisfies number | undefined,
    sort satisfies string | undefined,
    // @ts-expect-error -- the page's path has no such parameter
    projectPage.useParams().id as unknown,
    // @ts-expect-error -- no such status
    status === 'ajar',
    // @ts-expect-error -- no such search parameter
    projectList.useSearch().colour as unknown,
  ]
}

test('a wrong link, path, parameter or search parameter fails the type check', () => {
  expect([links, parameters]).toHaveLength(2)
})
