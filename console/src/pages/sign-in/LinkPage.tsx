export const LinkPage = () => null
