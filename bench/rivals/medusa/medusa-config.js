// Medusa as it comes, without its dashboard. PostgreSQL is reached over a local socket, which has no TLS.
const { defineConfig } = require('@medusajs/framework/utils')

module.exports = defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    databaseDriverOptions: { connection: { ssl: false } },
    http: {
      storeCors: '',
      adminCors: '',
      authCors: '',
      jwtSecret: 'a secret that only measurements know of',
      cookieSecret: 'another secret that only measurements know of',
    },
  },
})
