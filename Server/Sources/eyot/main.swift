print("eyot")
