import { createFileRoute } from '@tanstack/react-router'
import { readHome } from '#app/features/sites/sites.functions.ts'

export const Route = createFileRoute('/')({
  loader: () => readHome(),
  component: Home,
})

function Home() {
  const { name } = Route.useLoaderData()
  return (
    <main>
      <h1>{name}</h1>
    </main>
  )
}
