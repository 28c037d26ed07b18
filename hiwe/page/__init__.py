"""Parser: pages as the browser or an HTTP answer showed them."""
