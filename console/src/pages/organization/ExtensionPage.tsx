export const ExtensionPage = () => null
