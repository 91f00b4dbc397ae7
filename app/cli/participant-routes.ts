import { fileURLToPath } from 'node:url'
import type { Generator, GeneratorPlugin, RouteNode } from '@tanstack/router-generator'
import type { Plugin } from 'vite'
import { needsWholeTree } from '../lib/editors-path.ts'

const ROUTE_TREE = fileURLToPath(new URL('../routeTree.gen.ts', import.meta.url))

/**
 * Gives browsers a route tree with only the pages that anybody may visit, so that it does not grow with every admin and account page: links
 * to those are plain links that load a new page. The whole tree is `routeTree.gen.ts?whole`, which `app/router.tsx` fetches for the others.
 * Must come before the TanStack Start plugin, which would otherwise handle both.
 */
export function createParticipantRoutes(): { vite: Plugin; generator: GeneratorPlugin } {
  let generator: Generator | undefined
  return {
    generator: {
      name: 'parley:participant-routes',
      init: (made) => {
        generator = made.generator
      },
    },
    vite: {
      name: 'parley:participant-routes',
      enforce: 'pre',
      applyToEnvironment: (environment) => environment.name === 'client',
      async load(id) {
        if (id !== ROUTE_TREE) return null
        const found = await generator?.getCrawlingResult()
        if (!generator || !found) throw new Error('The route files have not been read yet')
        const { acc } = found
        const { routeTreeContent } = generator.buildRouteTree({
          ...found,
          acc: { ...acc, routeTree: keepParticipantRoutes(acc.routeTree), routeNodes: keepParticipantRoutes(acc.routeNodes) },
          config: { disableTypes: true, enableRouteTreeFormatting: false, routeTreeFileHeader: [], routeTreeFileFooter: [] },
        })
        return { code: routeTreeContent, map: null }
      },
    },
  }
}

/** Removes editors' and account pages, and routes that only answer on the server. */
function keepParticipantRoutes(nodes: RouteNode[]): RouteNode[] {
  return nodes
    .filter((node) => !needsWholeTree((node.routePath ?? '').replace(/^\/_site/, '')) && !isServerOnly(node))
    .map((node) => (node.children ? { ...node, children: keepParticipantRoutes(node.children) } : node))
}

function isServerOnly({ createFileRouteProps: made }: RouteNode): boolean {
  return made?.size === 1 && made.has('server')
}
