declare module '*/routeTree.gen.ts?whole' {
  export const routeTree: typeof import('./routeTree.gen.ts').routeTree
}
