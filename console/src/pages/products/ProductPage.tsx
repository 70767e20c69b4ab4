export const ProductPage = () => null
