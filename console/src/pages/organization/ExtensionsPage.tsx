export const ExtensionsPage = () => null
