print("rowcast")
