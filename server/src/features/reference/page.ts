// The page that shows the reference to people: Scalar's page, in the colours of the console, below a bar that leads to
// the console.

/**
 * The colours of the console (`console/src/theme.ts`), as Scalar calls them, and the height of the bar, below which its own parts
 * stay. Narrow columns are broken between words, not inside them. Parameters show no examples: one would be `x-disabled` (`samples.ts`).
 */
const customCss = `
:root { --scalar-custom-header-height: 48px; --scalar-radius: 6px; --scalar-radius-lg: 10px; --scalar-font: system-ui, sans-serif }
.light-mode { --scalar-color-1: #1c1d23; --scalar-color-2: #50525f; --scalar-color-3: #6d6f7e; --scalar-color-accent: #5b5bd6;
  --scalar-background-1: #fff; --scalar-background-2: #fafafb; --scalar-background-3: #f4f4f6; --scalar-background-accent: #5b5bd61f; --scalar-border-color: #e9e9ee }
.dark-mode { --scalar-color-1: #ececf1; --scalar-color-2: #b9bac6; --scalar-color-3: #9496a5; --scalar-color-accent: #9b9ef0;
  --scalar-background-1: #17181d; --scalar-background-2: #121317; --scalar-background-3: #2b2c35; --scalar-background-accent: #9b9ef01f; --scalar-border-color: #2b2c35 }
.light-mode .sidebar, .light-mode .t-doc__sidebar { --scalar-sidebar-background-1: #fafafb; --scalar-sidebar-border-color: #e9e9ee; --scalar-sidebar-color-active: #5b5bd6; --scalar-sidebar-item-active-background: #5b5bd61a }
.dark-mode .sidebar, .dark-mode .t-doc__sidebar { --scalar-sidebar-background-1: #121317; --scalar-sidebar-border-color: #2b2c35; --scalar-sidebar-color-active: #9b9ef0; --scalar-sidebar-item-active-background: #9b9ef01f }
.scalar-app .markdown :is(td, th, td code) { overflow-wrap: normal; word-break: normal }
.scalar-app .parameter-item .property-example { display: none }`

/** Scalar's settings. Everything that would reach scalar.com or store a key is off. */
const settings = {
  url: '/v1/openapi.json',
  title: 'Cashwrap API',
  theme: 'default',
  layout: 'modern',
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: 'direct',
  defaultOpenFirstTag: false,
  orderSchemaPropertiesBy: 'preserve',
  authentication: { preferredSecurityScheme: 'companyKey' },
  customCss,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
}

/**
 * The bar has the background of the page, in light and dark mode, which comes from Scalar's variables once it has
 * loaded.
 */
const barStyle = `
  body { margin: 0 }
  .bar { position: sticky; top: 0; z-index: 20; box-sizing: border-box; display: flex; gap: 10px; align-items: center; height: 48px; padding: 0 20px;
    border-bottom: 1px solid var(--scalar-border-color, #e9e9ee); background: var(--scalar-background-1, Canvas); color: var(--scalar-color-1, CanvasText); font: 600 14px system-ui, sans-serif }
  .bar a { color: inherit; font-weight: 400; text-decoration: none; border-radius: 4px }
  .bar a:first-of-type { margin-left: auto }
  .bar a:hover { text-decoration: underline }`

/** The page, which loads Scalar from `scriptPath`. */
export const referencePage = (scriptPath: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Cashwrap API</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="/console/icon.svg">
    <style>${barStyle}</style>
  </head>
  <body>
    <header class="bar">
      <img src="/console/icon.svg" width="22" height="22" alt=""><span>Cashwrap API</span>
      <a href="/console">Open the console</a>
    </header>
    <noscript>This page needs JavaScript. The same reference for programs: <a href="/v1/openapi.json">/v1/openapi.json</a></noscript>
    <script id="api-reference" data-configuration='${JSON.stringify(settings)}'></script>
    <script src="${scriptPath}"></script>
  </body>
</html>
`

/** The browser refuses everything that is not from this server. */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
